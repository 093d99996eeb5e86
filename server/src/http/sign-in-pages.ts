import type { ReturnPage, SignInRefusal } from '../access/provider-sign-in.ts';

/* These pages show both languages, because the server does not know which one the person has chosen. */

type Sentence = Readonly<Record<'en' | 'zh', string>>;

const sentences: Readonly<Record<SignInRefusal, Sentence>> = {
  unknown: {
    en: 'This way to sign in does not exist any more.',
    zh: '该登录方式已不存在。',
  },
  ended: {
    en: 'This sign-in took too long, was used already, or began in another browser. Start again from the sign-in page.',
    zh: '本次登录已超时、已使用过，或不是在此浏览器中开始的。请返回登录页重新登录。',
  },
  unreachable: {
    en: 'Your school’s sign-in service does not answer. Try again in a moment.',
    zh: '学校的登录服务没有响应，请稍后重试。',
  },
  cancelled: {
    en: 'You were not signed in at your school’s sign-in service. Start again from the sign-in page.',
    zh: '您未在学校的登录服务中完成登录，请返回登录页重新登录。',
  },
  invalid: {
    en: 'The response of your school’s sign-in service could not be verified. Start again from the sign-in page.',
    zh: '无法验证学校登录服务的返回结果，请返回登录页重新登录。',
  },
  noAccount: {
    en: 'No account here fits the one you signed in with. Ask an administrator of your school.',
    zh: '没有与您所用账号对应的本系统账号，请联系学校管理员。',
  },
  notConfirmed: {
    en: 'This does not confirm who is signed in here. Sign in there with the account that you use here.',
    zh: '未能确认当前登录者的身份，请使用与此处相同的账号完成登录。',
  },
  tooMany: {
    en: 'Too many sign-ins from this network. Try again in a few minutes.',
    zh: '此网络的登录次数过多，请几分钟后重试。',
  },
  unavailable: {
    en: 'The server is temporarily unavailable. Try again in a moment.',
    zh: '服务器暂时不可用，请稍后重试。',
  },
};

const titles: Sentence = { en: 'Not signed in', zh: '未能登录' };
const ways: Sentence = { en: 'Back to the sign-in page', zh: '返回登录页' };
const done: Sentence = {
  en: 'You are signed in. You can close this window.',
  zh: '登录成功，可以关闭此窗口。',
};

/** `web/src/session/ProviderButtons.tsx` listens on this channel. */
const channel = 'classledger-provider';

const style = `
:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}
body{background:light-dark(#f6f8f7,#141a1c);color:light-dark(#16201f,#e6ecea);margin:0;min-height:100vh;display:grid;place-items:center}
main{max-width:32rem;padding:1.5rem}
h1{font-size:1.4rem;margin:0 0 .25rem}
p{margin:0 0 .5rem}
section{margin-bottom:2rem}
a{color:light-dark(#12695f,#6fd0c0)}`;

const page = (nonce: string, title: string, body: string, script = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Classledger</title>
<style nonce="${nonce}">${style}</style>
${script && `<script nonce="${nonce}">${script}</script>`}
</head>
<body><main>${body}</main></body>
</html>
`;

const inOrder = (preferred: string) =>
  /^\s*zh\b/i.test(preferred) ? (['zh', 'en'] as const) : (['en', 'zh'] as const);

/** Returns the page about a failed sign-in. @param way null in a popup, whose opener waits for another attempt */
export function renderRefusalPage(
  reason: SignInRefusal,
  preferred: string,
  nonce: string,
  way: ReturnPage,
): string {
  const order = inOrder(preferred);
  const parts = order.map((language) => {
    const link = way === null ? '' : `<p><a href="${way}">${ways[language]}</a></p>`;
    const heading = `<h1>${titles[language]}</h1>`;
    return `<section lang="${language}">${heading}<p>${sentences[reason][language]}</p>${link}</section>`;
  });
  return page(nonce, titles[order[0]], parts.join('\n'));
}

export function renderDonePage(preferred: string, nonce: string): string {
  const order = inOrder(preferred);
  const parts = order.map((language) => `<p lang="${language}">${done[language]}</p>`);
  const tell = `new BroadcastChannel('${channel}').postMessage('done');close()`;
  return page(nonce, done[order[0]], parts.join('\n'), tell);
}
