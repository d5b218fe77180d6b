/** The three topics of the log. */
export const TOPICS = {
  observations: 'vendor.observations',
  decisions: 'catalog.decisions',
  items: 'catalog.items',
} as const
export type Topic = (typeof TOPICS)[keyof typeof TOPICS]

/** Default number of partitions of vendor.observations. The other topics always have one. */
export const OBSERVATION_PARTITIONS = 4

/** Partition key of an event of vendor.observations. */
export function observationKey(sourceId: string, vendorRef: string): string {
  return `${sourceId}/${vendorRef}`
}
