import { magento } from './magento.ts'
import { algolia, elasticsearch, klevu } from './search-hits.ts'
import type { ShopShape } from './shop-shape.ts'
import { shopify } from './shopify.ts'
import { woocommerce } from './woocommerce.ts'

/** All known shapes; where two might know a product, the one with the more particular keys comes first. */
export const SHAPES: readonly ShopShape[] = [woocommerce, klevu, algolia, elasticsearch, magento, shopify]
