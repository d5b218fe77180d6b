// The five calls by the client of openapi-generator.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"catalog/judge/generators/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers[0].URL = os.Args[1]
	catalog, ctx := client.NewAPIClient(configuration), context.Background()

	list := catalog.ItemsAPI.ListItems(ctx).Region("ES").Kind("material").Sort("-updated").Include("total").Limit(3)
	page, _, err := list.Execute()
	check(err)
	id := page.Items[0].Id
	fmt.Println("listItems", page.Total.Count, len(page.Items), id)

	detail, _, err := catalog.ItemsAPI.GetItem(ctx, id).Execute()
	check(err)
	median := detail.Item.GetMedianPrice()
	fmt.Println("getItem", detail.Item.Id, median.Cents, len(detail.Vendors))

	found, _, err := catalog.SearchAPI.Search(ctx).Q("cement 25 kg").Limit(3).Execute()
	check(err)
	fmt.Println("search", found.Mode, len(found.Results), found.Results[0].Id)

	tree, _, err := catalog.CategoriesAPI.ListCategories(ctx).Limit(3).Execute()
	check(err)
	fmt.Println("listCategories", len(tree.Categories), tree.Categories[0].Id)

	feed, _, err := catalog.FeedsAPI.GetRegionAtom(ctx, "ES").Limit(3).Execute()
	check(err)
	fmt.Println("getRegionAtom", len(strings.Split(feed, "<entry>")))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
