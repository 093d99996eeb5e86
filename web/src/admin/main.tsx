import { startApp } from '../AppRoot.tsx';
import { dropEarlyRequests } from '../api/early-requests.ts';
import { createQueryClient } from '../api/queries.ts';
import { createMutationCache } from '../api/stale-reads.ts';
import { adminHint } from '../session/admin-hint.ts';
import { offlineAnswers } from '../session/offline-answers.ts';
import { AdminApp } from './AdminApp.tsx';
import { signedInChunk } from './signed-in-chunk.ts';
import { storedRuns } from './stored-runs.ts';

// On return from a school's sign-in service, the cookie is set, but no script has recorded the sign-in yet.
if (location.hash === '#signed-in') {
  adminHint.recordSignIn();
  history.replaceState(history.state, '', location.pathname + location.search);
}

// Called only because it deletes kept answers that are too old or of another sign-in.
offlineAnswers.read(adminHint.ownMark());
const client = createQueryClient(createMutationCache());
const start = () => startApp(<AdminApp />, client);

if (adminHint.isPresent()) {
  // Sends requests before rendering, which can take as long as the answers. The app reports code that does not load.
  signedInChunk
    .load()
    .then(({ prefetchFirstPage }) => prefetchFirstPage(client))
    .catch(() => undefined)
    .finally(start);
} else {
  // Nobody is signed in, for example after a sign-out in another tab.
  dropEarlyRequests();
  storedRuns.clear();
  start();
}
