// Reads from an MCP endpoint with the Go client and prints the result as one JSON object (see clients.ts).
//
// Arguments: endpoint, id of an item, words to search, vendors of a page. MCP_KEY holds the key.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type withKey struct{ key string }

func (transport withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+transport.key)
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	url, item, words := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{
		Endpoint:   url,
		HTTPClient: &http.Client{Transport: withKey{os.Getenv("MCP_KEY")}},
	}
	session, err := client.Connect(ctx, transport, nil)
	must(err)
	defer session.Close()
	call := func(name string, arguments map[string]any) *mcp.CallToolResult {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		must(err)
		return result
	}
	limit, err := strconv.Atoi(os.Args[4])
	must(err)
	page := map[string]any{"id": item, "limit": limit}
	pages := []*mcp.CallToolResult{}
	for more := true; more; {
		result := call("get_item", page)
		pages = append(pages, result)
		answer, _ := result.StructuredContent.(map[string]any)
		page["cursor"], more = answer["next_cursor"]
	}
	listed, err := session.ListTools(ctx, nil)
	must(err)
	names := []string{}
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	resource, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "catalog://items/" + item})
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"revision": session.InitializeResult().ProtocolVersion,
		"tools":    names,
		"pages":    pages,
		"found":    call("search_catalog", map[string]any{"q": words}),
		"resource": resource.Contents[0].Text,
	}))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
