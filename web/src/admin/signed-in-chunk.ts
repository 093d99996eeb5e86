type SignedInChunk = Awaited<ReturnType<typeof importChunk>>;

async function importChunk() {
  const { SignedInApp, prefetchFirstPage } = await import('./SignedInApp.tsx');
  return { SignedInApp, prefetchFirstPage };
}

let chunk: SignedInChunk | null = null;
let loading: Promise<SignedInChunk> | null = null;

/** Code that only signed-in staff need. public/first-paint.js fetches it when the sign-in form can be used. */
export const signedInChunk = {
  get: (): SignedInChunk | null => chunk,
  /** Loads the code once. Tries again if loading failed before. */
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
