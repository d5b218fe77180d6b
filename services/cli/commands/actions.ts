/** What commands do, by their whole names: `backup verify`. commands.yaml describes them. */
export type Actions = Readonly<Record<string, (...given: never[]) => Promise<void>>>
