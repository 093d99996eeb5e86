/** The message is one line with the variable and its allowed values. */
export class ConfigError extends Error {}
