type SignedInChunk = Awaited<ReturnType<typeof importChunk>>;

async function importChunk() {
  const { SignedInApp, prefetchFirstPage } = await import('./SignedInApp.tsx');
  return { SignedInApp, prefetchFirstPage };
}

let chunk: SignedInChunk | null = null;
let loading: Promise<SignedInChunk> | null = null;

/**
 * The code after the sign-in, more than half of the app: the router, the frame of the pages, the first page. The
 * sign-in does not wait for it. public/first-paint.js makes the browser fetch it once the form is usable, or at once
 * for a signed-in person.
 */
export const signedInChunk = {
  /** Null until it is loaded. */
  get: (): SignedInChunk | null => chunk,
  /** Loads the code once; tries again after a failure. */
  load: (): Promise<SignedInChunk> => {
    loading ??= importChunk().then(
      (loaded) => {
        chunk = loaded;
        return loaded;
      },
      (failure) => {
        loading = null;
        throw failure;
      },
    );
    return loading;
  },
};
