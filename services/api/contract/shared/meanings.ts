import MEANINGS from './meanings.json' with { type: 'json' }

/** What codes and columns mean, for readers of the API. */
export { MEANINGS }
