// A harness for sgf-lark fuzz: go build -o harness harness.go my_parser.go
// --target 'persistent: ./harness'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Property and Node are what a game consists of, in the order of the file. Parent is the index of
// another node of the game, nil for the root. Values are texts without the escapes of the file.
type Property struct {
	Ident  string
	Values []string
}

func (p Property) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.Ident, append([]string{}, p.Values...)})
}

type Node struct {
	Parent     *int
	Properties []Property
}

func (n Node) MarshalJSON() ([]byte, error) {
	properties := append([]Property{}, n.Properties...)
	return json.Marshal(map[string]any{"parent": n.Parent, "properties": properties})
}

// func parse(data []byte) ([][]Node, error) returns the games, nil for the verdict alone, or an error
// to reject. A panic is a crash.

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
		games, err := parse(data)
		if err != nil {
			fmt.Println("reject " + strings.ReplaceAll(err.Error(), "\n", " "))
		} else if games == nil {
			fmt.Println("accept")
		} else {
			tree, _ := json.Marshal(map[string]any{"form": "text", "games": games})
			fmt.Println("accept " + string(tree))
		}
	}
}
