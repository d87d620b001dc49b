/** Apollo's own messages repeat what our logs say, with queries in them. */
export const NOT_LOGGED = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
