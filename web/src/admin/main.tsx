import { startApp } from '../AppRoot.tsx';
import { dropEarlyRequests } from '../api/early-requests.ts';
import { createQueryClient } from '../api/query-client.ts';
import { createMutationCache } from '../api/stale-reads.ts';
import { adminHint } from '../session/admin-hint.ts';
import { offlineAnswers } from '../session/offline-answers.ts';
import { AdminApp } from './AdminApp.tsx';
import { signedInChunk } from './signed-in-chunk.ts';
import { storedRuns } from './stored-runs.ts';

// Back from a school's sign-in provider: the cookie is set, but no script has recorded the sign-in.
if (location.hash === '#signed-in') {
  adminHint.recordSignIn();
  history.replaceState(history.state, '', location.pathname + location.search);
}

// Deletes kept answers that are too old or belong to another sign-in.
offlineAnswers.read(adminHint.ownMark());
const client = createQueryClient(createMutationCache());
const start = () => startApp(<AdminApp />, client);

if (adminHint.isPresent()) {
  // Requests go out before rendering, which can take as long as the answers. The app reports code that fails to load.
  signedInChunk
    .load()
    .then(({ prefetchFirstPage }) => prefetchFirstPage(client))
    .catch(() => undefined)
    .finally(start);
} else {
  // Someone has signed out in another tab.
  dropEarlyRequests();
  storedRuns.clear();
  start();
}
