type Part = Awaited<ReturnType<typeof importPart>>;

async function importPart() {
  const { SignedIn, loadAhead } = await import('./SignedIn.tsx');
  return { SignedIn, loadAhead };
}

let part: Part | null = null;
let underWay: Promise<Part> | null = null;

/**
 * The code behind the sign-in, more than half of the app: the router, the frame of the pages, the first page. Who has yet to sign in
 * does not wait for it; public/first-paint.js has the browser fetch it as soon as the form can be used, or at once
 * for whoever is signed in.
 */
export const signedInPart = {
  /** Null until it is loaded. */
  get: (): Part | null => part,
  /** Loads it, once; what has failed is tried again. */
  load: (): Promise<Part> => {
    underWay ??= importPart().then(
      (loaded) => {
        part = loaded;
        return loaded;
      },
      (failure) => {
        underWay = null;
        throw failure;
      },
    );
    return underWay;
  },
};
