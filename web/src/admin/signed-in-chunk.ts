type SignedInChunk = Awaited<ReturnType<typeof importChunk>>;

async function importChunk() {
  const { SignedInApp, prefetchFirstPage } = await import('./SignedInApp.tsx');
  return { SignedInApp, prefetchFirstPage };
}

let chunk: SignedInChunk | null = null;
let loading: Promise<SignedInChunk> | null = null;

/** The code after the sign-in, which does not wait for it. public/first-paint.js fetches it once the form is usable. */
export const signedInChunk = {
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
