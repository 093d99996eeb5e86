type Part = Awaited<ReturnType<typeof importPart>>;

async function importPart() {
  const { SignedIn, loadAhead } = await import('./SignedIn.tsx');
  return { SignedIn, loadAhead };
}

let part: Part | null = null;
let underWay: Promise<Part> | null = null;

/**
 * The code after the sign-in, more than half of the app: the router, the frame of the pages, the first page. The
 * sign-in does not wait for it. public/first-paint.js makes the browser fetch it once the form is usable, or at once
 * for a signed-in person.
 */
export const signedInPart = {
  /** Null until it is loaded. */
  get: (): Part | null => part,
  /** Loads the code once; tries again after a failure. */
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
