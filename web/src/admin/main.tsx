import { startApp } from '../AppRoot.tsx';
import { dropAhead } from '../api/ahead.ts';
import { outdatingWrites } from '../api/outdated.ts';
import { createQueryClient } from '../api/query-client.ts';
import { adminHint } from '../session/admin-hint.ts';
import { keptAnswers } from '../session/kept-answers.ts';
import { AdminApp } from './AdminApp.tsx';
import { keptRuns } from './lists/kept-runs.ts';
import { signedInPart } from './signed-in-part.ts';

// Back from the provider of a school: the cookie is there, and nobody has seen it come.
if (location.hash === '#signed-in') {
  adminHint.keep();
  history.replaceState(history.state, '', location.pathname + location.search);
}

// What is too old or of another sign-in goes, whether it is needed or not.
keptAnswers.read(adminHint.mark());
const client = createQueryClient(outdatingWrites());
const start = () => startApp(<AdminApp />, client);

if (adminHint.present()) {
  // Asks before anything is drawn, which takes a slow processor as long as the answers are on their way. Where the part
  // cannot be loaded, the app says so.
  signedInPart
    .load()
    .then(({ loadAhead }) => loadAhead(client))
    .catch(() => undefined)
    .finally(start);
} else {
  // Somebody has signed out in another tab meanwhile.
  dropAhead();
  keptRuns.forget();
  start();
}
