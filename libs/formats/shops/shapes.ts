import { marketplace, salesforce, sapCommerce, vtex } from './enterprise.ts'
import { nopcommerce, opencart, prestashop, shopware } from './europe.ts'
import { salla, zid } from './gulf.ts'
import { commercetools, medusa, saleor, spree, sylius } from './headless.ts'
import { bigcommerce, ecwid, squarespace, tiendanube, wix } from './hosted.ts'
import { magento } from './magento.ts'
import { algolia, elasticsearch, klevu, listWithSales, typesense } from './search-hits.ts'
import type { ShopShape } from './shop-shape.ts'
import { shopify } from './shopify.ts'
import { woocommerce } from './woocommerce.ts'

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
  marketplace,
  wix,
  shopify,
  medusa,
  listWithSales,
]
