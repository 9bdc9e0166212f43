// A harness for sgf-lark fuzz. In the folder of a project made by "dotnet new console -n harness", in place
// of Program.cs: dotnet build -c Release, then --target 'persistent: ./bin/Release/netX.0/harness'
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

// MyParser.Parse takes bytes. It returns a List<List<Node>>, or null for the verdict alone, and rejects by
// throwing FormatException. Any other exception ends the process, which is a crash. Values are texts
// without escapes; the parent of a root is null: new Node(null, [["C", new[] { "a comment" }]])

using var requests = Console.OpenStandardInput();
using var replies = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
replies.AutoFlush = true;
replies.NewLine = "\n";
Console.SetOut(Console.Error); // What the parser prints must not be mistaken for a reply.

replies.WriteLine("ready");
while (ReadSize() is int size)
{
    var data = new byte[size];
    requests.ReadExactly(data);
    string reply;
    try
    {
        var games = MyParser.Parse(data);
        reply = games is null ? "accept" : "accept " + JsonSerializer.Serialize(games);
    }
    catch (FormatException error)
    {
        reply = "reject " + string.Join(' ', error.Message.Split('\r', '\n'));
    }
    replies.WriteLine(reply);
}

int? ReadSize()
{
    var size = 0;
    for (var octet = requests.ReadByte(); octet != '\n'; octet = requests.ReadByte())
    {
        if (octet < 0) return null;
        size = 10 * size + octet - '0';
    }
    return size;
}

/// <summary>A node; a property is an array of its identifier and the list of its values.</summary>
public record Node(
    [property: JsonPropertyName("parent")] int? Parent,
    [property: JsonPropertyName("properties")] List<object[]> Properties);
