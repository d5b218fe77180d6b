import { bigcommerce } from '@catalog/formats/shops/hosted/bigcommerce.ts'
import { ecwid } from '@catalog/formats/shops/hosted/ecwid.ts'
import { mercadoLibre } from '@catalog/formats/shops/hosted/mercado-libre.ts'
import { salesforce } from '@catalog/formats/shops/hosted/salesforce.ts'
import { salla } from '@catalog/formats/shops/hosted/salla.ts'
import { shopify } from '@catalog/formats/shops/hosted/shopify.ts'
import { squarespace } from '@catalog/formats/shops/hosted/squarespace.ts'
import { tiendanube } from '@catalog/formats/shops/hosted/tiendanube.ts'
import { vtex } from '@catalog/formats/shops/hosted/vtex.ts'
import { wix } from '@catalog/formats/shops/hosted/wix.ts'
import { zid } from '@catalog/formats/shops/hosted/zid.ts'
import { commercetools } from '@catalog/formats/shops/installed/commercetools.ts'
import { magento } from '@catalog/formats/shops/installed/magento.ts'
import { medusa } from '@catalog/formats/shops/installed/medusa.ts'
import { nopcommerce } from '@catalog/formats/shops/installed/nopcommerce.ts'
import { opencart } from '@catalog/formats/shops/installed/opencart.ts'
import { prestashop } from '@catalog/formats/shops/installed/prestashop.ts'
import { saleor } from '@catalog/formats/shops/installed/saleor.ts'
import { sapCommerce } from '@catalog/formats/shops/installed/sap-commerce.ts'
import { shopware } from '@catalog/formats/shops/installed/shopware.ts'
import { spree } from '@catalog/formats/shops/installed/spree.ts'
import { sylius } from '@catalog/formats/shops/installed/sylius.ts'
import { woocommerce } from '@catalog/formats/shops/installed/woocommerce.ts'
import type { ShopShape } from '@catalog/formats/shops/products/shop-record.ts'
import { algolia } from '@catalog/formats/shops/search/algolia.ts'
import { elasticsearch } from '@catalog/formats/shops/search/elasticsearch.ts'
import { listWithSales } from '@catalog/formats/shops/search/hits.ts'
import { klevu } from '@catalog/formats/shops/search/klevu.ts'
import { typesense } from '@catalog/formats/shops/search/typesense.ts'

/** All known shapes; where two might know a product, the one with the more particular keys comes first. */
export const SHAPES: readonly ShopShape[] = [
  woocommerce,
  klevu,
  algolia,
  elasticsearch,
  typesense,
  commercetools,
  saleor,
  sylius,
  spree,
  magento,
  vtex,
  salesforce,
  sapCommerce,
  shopware,
  prestashop,
  nopcommerce,
  opencart,
  bigcommerce,
  ecwid,
  tiendanube,
  squarespace,
  salla,
  zid,
  mercadoLibre,
  wix,
  shopify,
  medusa,
  listWithSales,
]
