import { texts } from '../../../web/src/session/texts.ts';
import type { Visit } from './journeys.ts';

/** Drops the session, opens a page and signs in with the form that it shows. */
export async function signInWithForm(visit: Visit, path: string): Promise<void> {
  const { page, say, go, context, username, password } = visit;
  const t = say(texts);
  await context.clearCookies();
  await go(path);
  await page.getByLabel(t('username')).fill(username);
  await page.getByLabel(t('password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('signIn'), exact: true }).click();
}
