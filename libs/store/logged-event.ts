/** An event with its place in its topic. */
export type LoggedEvent<E> = Readonly<{ event: E; partition: number; offset: bigint }>
