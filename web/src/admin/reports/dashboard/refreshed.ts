/** The dashboard stays open for hours: it asks again every minute. */
export const refreshed = { refetchInterval: 60_000 };
