import { platform } from '@catalog/formats/shops/products/platform.ts'

/**
 * OpenCart and its forks as their themes list products: `special` is the price that the shop shows in place of `price`, and
 * false without one.
 */
export const opencart = platform({
  system: 'opencart',
  isProduct: (object) =>
    'product_id' in object &&
    'special' in object &&
    'price' in object &&
    'name' in object &&
    ['href', 'tax', 'minimum', 'thumb', 'rating', 'model'].some((key) => key in object),
})
