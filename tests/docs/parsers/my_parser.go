package main

import (
	"bytes"
	"errors"
)

func parse(data []byte) ([][]Node, error) {
	if bytes.HasPrefix(data, []byte("(crash")) {
		panic("crash")
	}
	for bytes.HasPrefix(data, []byte("(hang")) {
	}
	if !bytes.HasPrefix(data, []byte("(")) {
		return nil, errors.New("no\nSGF")
	}
	if !bytes.HasPrefix(data, []byte("(tree")) {
		return nil, nil
	}
	root := 0
	return [][]Node{{
		{nil, []Property{{"C", []string{"a\"\\\n\u00e9"}}, {"AB", []string{"aa", "bb"}}}},
		{&root, nil},
		{&root, []Property{{"W", []string{""}}}},
	}, {{nil, nil}}}, nil
}
