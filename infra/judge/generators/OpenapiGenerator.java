import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CategoriesApi;
import org.openapitools.client.api.FeedsApi;
import org.openapitools.client.api.ItemsApi;
import org.openapitools.client.api.SearchApi;

/** The five calls by the client of openapi-generator. */
class OpenapiGenerator {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient().setBasePath(arguments[0]);

    var items = new ItemsApi(client);
    var page = items.listItems("ES", null, null, 3, null, null, "-updated", null, "material", null, null, null, null,
        null, null, null, null, null, null, null, "total", null, null);
    var id = page.getItems().get(0).getId();
    print("listItems", page.getTotal().getCount(), page.getItems().size(), id);

    var detail = items.getItem(id, null, null, null, null);
    var item = detail.getItem();
    print("getItem", item.getId(), item.getMedianPrice().getCents(), detail.getVendors().size());

    var found = new SearchApi(client).search("cement 25 kg", 3, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null);
    print("search", found.getMode(), found.getResults().size(), found.getResults().get(0).getId());

    var tree = new CategoriesApi(client).listCategories(null, null, null, 3, null).getCategories();
    print("listCategories", tree.size(), tree.get(0).getId());

    var feed = new FeedsApi(client).getRegionAtom("ES", null, null, 3, null);
    print("getRegionAtom", feed.split("<entry>").length);
  }

  private static void print(Object... words) {
    System.out.println(String.join(" ", java.util.Arrays.stream(words).map(String::valueOf).toList()));
  }
}
