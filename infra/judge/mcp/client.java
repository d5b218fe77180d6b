import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the Java client of the protocol gets from an endpoint of agents: one JSON object (see mcp-clients.ts).
 *
 * Arguments: endpoint, id of an item, words to search. The key is in MCP_KEY.
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
      Map<String, Object> said = new LinkedHashMap<>();
      said.put("revision", client.initialize().protocolVersion());
      said.put("tools", client.listTools().tools().stream().map(Tool::name).toList());
      said.put("item", client.callTool(CallToolRequest.builder("get_item").arguments(Map.of("id", item)).build()));
      said.put("found", client.callTool(CallToolRequest.builder("search_catalog").arguments(Map.of("q", words)).build()));
      var read = client.readResource(ReadResourceRequest.builder("catalog://items/" + item).build()).contents().get(0);
      said.put("resource", ((TextResourceContents) read).text());
      System.out.println(McpJsonDefaults.getMapper().writeValueAsString(said));
    }
  }
}
