import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads from an MCP endpoint with the Java client and prints the result as one JSON object (see clients.ts).
 *
 * Arguments: endpoint, id of an item, words to search, vendors of a page. MCP_KEY holds the key.
 */
class Client {
  public static void main(String[] arguments) throws Exception {
    URI endpoint = URI.create(arguments[0]);
    String item = arguments[1];
    String words = arguments[2];
    var withKey = HttpRequest.newBuilder().header("Authorization", "Bearer " + System.getenv("MCP_KEY"));
    var transport = HttpClientStreamableHttpTransport.builder(endpoint.resolve("/").toString())
        .endpoint(endpoint.getPath())
        .requestBuilder(withKey)
        .build();
    try (var client = McpClient.sync(transport).build()) {
      Map<String, Object> output = new LinkedHashMap<>();
      output.put("revision", client.initialize().protocolVersion());
      output.put("tools", client.listTools().tools().stream().map(Tool::name).toList());
      Map<String, Object> page = new LinkedHashMap<>(Map.of("id", item, "limit", Integer.parseInt(arguments[3])));
      List<Object> pages = new ArrayList<>();
      do {
        var result = client.callTool(CallToolRequest.builder("get_item").arguments(page).build());
        pages.add(result);
        page.put("cursor", ((Map<?, ?>) result.structuredContent()).get("next_cursor"));
      } while (page.get("cursor") != null);
      output.put("pages", pages);
      output.put("found", client.callTool(CallToolRequest.builder("search_catalog").arguments(Map.of("q", words)).build()));
      var read = client.readResource(ReadResourceRequest.builder("catalog://items/" + item).build()).contents().get(0);
      output.put("resource", ((TextResourceContents) read).text());
      System.out.println(McpJsonDefaults.getMapper().writeValueAsString(output));
    }
  }
}
