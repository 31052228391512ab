// How much of a model's context a text takes, roughly. Tokenizers differ by model: four bytes of English or JSON to a token
// is usual, and a fixed rule makes two figures comparable.
const BYTES_PER_TOKEN = 4;

export const approximateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
