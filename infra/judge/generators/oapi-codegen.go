// The five calls by the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"catalog/judge/generators/client"
)

func main() {
	catalog, err := client.NewClientWithResponses(os.Args[1])
	check(err)
	ctx, limit := context.Background(), new(3)

	list, err := catalog.ListItemsWithResponse(ctx, &client.ListItemsParams{
		Region:  new(client.ListItemsParamsRegionES),
		Kind:    new(client.ListItemsParamsKindMaterial),
		Sort:    new(client.ListItemsParamsSortUpdatedDesc),
		Include: new("total"),
		Limit:   limit,
	})
	check(err)
	page := list.JSON200
	id := page.Items[0].Id
	fmt.Println("listItems", page.Total.Count, len(page.Items), id)

	detail, err := catalog.GetItemWithResponse(ctx, id, nil)
	check(err)
	item := detail.JSON200.Item
	fmt.Println("getItem", item.Id, item.MedianPrice.Cents, len(detail.JSON200.Vendors))

	found, err := catalog.SearchWithResponse(ctx, &client.SearchParams{Q: "cement 25 kg", Limit: limit})
	check(err)
	fmt.Println("search", found.JSON200.Mode, len(found.JSON200.Results), found.JSON200.Results[0].Id)

	tree, err := catalog.ListCategoriesWithResponse(ctx, &client.ListCategoriesParams{Limit: limit})
	check(err)
	fmt.Println("listCategories", len(tree.JSON200.Categories), tree.JSON200.Categories[0].Id)

	newest := &client.GetRegionAtomParams{Limit: limit}
	feed, err := catalog.GetRegionAtomWithResponse(ctx, client.GetRegionAtomParamsRegionES, newest)
	check(err)
	fmt.Println("getRegionAtom", len(strings.Split(string(feed.Body), "<entry>")))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
