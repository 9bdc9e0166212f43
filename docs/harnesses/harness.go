// A harness for sgf-lark fuzz: go build -o harness harness.go tested_parser.go
// --target 'persistent: ./harness'
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// parse takes a []byte and returns an error to reject. A panic is a crash.

func main() {
	requests := bufio.NewReader(os.Stdin)
	fmt.Println("ready")
	for {
		var length int
		if _, err := fmt.Fscanf(requests, "%d\n", &length); err != nil {
			return
		}
		data := make([]byte, length)
		if _, err := io.ReadFull(requests, data); err != nil {
			return
		}
		if err := parse(data); err != nil {
			fmt.Println("reject " + strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("accept")
		}
	}
}
