import { startApp } from '../AppRoot.tsx';
import { dropAhead } from '../api/ahead.ts';
import { outdatingWrites } from '../api/outdated.ts';
import { createQueryClient } from '../api/query-client.ts';
import { adminHint } from '../session/admin-hint.ts';
import { keptAnswers } from '../session/kept-answers.ts';
import { AdminApp } from './AdminApp.tsx';
import { keptRuns } from './lists/kept-runs.ts';
import { signedInPart } from './signed-in-part.ts';

// Back from a school's sign-in provider: the cookie is set, but no script has recorded the sign-in.
if (location.hash === '#signed-in') {
  adminHint.keep();
  history.replaceState(history.state, '', location.pathname + location.search);
}

// Deletes kept answers that are too old or belong to another sign-in.
keptAnswers.read(adminHint.mark());
const client = createQueryClient(outdatingWrites());
const start = () => startApp(<AdminApp />, client);

if (adminHint.present()) {
  // Send the requests before rendering, which on a slow processor takes as long as the answers. If this code fails to
  // load, the app reports it.
  signedInPart
    .load()
    .then(({ loadAhead }) => loadAhead(client))
    .catch(() => undefined)
    .finally(start);
} else {
  // Someone has signed out in another tab.
  dropAhead();
  keptRuns.forget();
  start();
}
