import type { Author, StudentExport } from '@classledger/contract';
import { type Format, formatIn } from '../../../i18n/format.ts';
import type { Language } from '../../../i18n/language.ts';
import { type Translate, translatorOf } from '../../../i18n/texts.ts';
import { exportTexts } from './export-texts.ts';

const style = `
  :root { color-scheme: light dark; }
  body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; font: 1rem/1.55 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; }
  h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
  h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
  p { margin: .35rem 0; max-width: 46rem; }
  .quiet { opacity: .72; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { text-align: start; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid rgb(128 128 128 / 35%); overflow-wrap: break-word; }
  td { max-width: 22rem; }
  .wide table { min-width: 38rem; }
  thead th { font-size: .85rem; font-weight: 600; opacity: .72; }
  .facts th { width: 12rem; font-weight: 600; }
  .number { text-align: end; white-space: nowrap; padding-inline-end: 1.5rem; }
  .when { white-space: nowrap; }
  @media print { body { max-width: none; padding: 0; font-size: 10pt; } .wide { overflow: visible; } .wide table { min-width: 0; } tr { break-inside: avoid; } thead { display: table-header-group; } h2 { break-after: avoid; } }
  @media (max-width: 40rem) { .when { white-space: normal; } .facts th { width: 8rem; } }
`;

/** Returns a student's data as one HTML file without scripts or external resources. */
export function personalDataPage(data: StudentExport, language: Language, timeZone: string): string {
  const t = translatorOf(exportTexts, language);
  const format = formatIn(language, timeZone);
  const { account, school, exportedAt } = data;
  const title = t('title', { name: account.actualName });
  const asOf = { school: school.name, when: format.dateTime(exportedAt), zone: timeZone };
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<h1>${title}</h1>
<p>${t('asOf', asOf)}</p>
<p class="quiet">${t('secrets')}</p>
${sections(data, t, format)}
</body>
</html>
`.html;
}

type Cell = string | Markup;

function sections(data: StudentExport, t: Translate<typeof exportTexts>, format: Format): Markup[] {
  const time = (iso: string) => markup`<time datetime="${iso}">${format.dateTime(iso)}</time>`;
  const timeIf = (iso: string | null) => iso && time(iso);
  const authorName = (author: Author | null) => {
    if (!author?.name) return t('deletedAuthor');
    return author.type === 'credential' ? t('byApp', { name: author.name }) : author.name;
  };
  /** Returns the text for a key; `otherwise` for a key that only a newer server knows. */
  const named = (key: string, otherwise: string) =>
    Object.hasOwn(exportTexts, key) ? t(key as 'account') : otherwise;
  const list = (title: string, entries: readonly (readonly [label: string, value: Cell | null])[]) => {
    const rows = entries.flatMap(([label, value]) =>
      value === null ? [] : [markup`<tr><th scope="row">${label}</th><td>${value}</td></tr>\n`],
    );
    return markup`<h2>${title}</h2><table class="facts"><tbody>\n${rows}</tbody></table>`;
  };
  const table = (
    title: string,
    heads: readonly string[],
    rows: readonly (readonly Cell[])[],
    numeric = -1,
  ) => {
    if (rows.length === 0) return markup`<h2>${title}</h2><p class="quiet">${t('nothing')}</p>`;
    const kindOf = (index: number) => (index === numeric ? 'number' : index === 0 ? 'when' : '');
    const head = heads.map((text, i) => markup`<th scope="col" class="${kindOf(i)}">${text}</th>`);
    const body = rows.map(
      (row) => markup`<tr>${row.map((cell, i) => markup`<td class="${kindOf(i)}">${cell}</td>`)}</tr>\n`,
    );
    return markup`<h2>${title}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body}</tbody></table></div>`;
  };

  const { id, account, waysIn, totals, seat, team } = data;
  const ways = waysIn.map(({ kind, detail, endsAt }) =>
    [named(`way_${kind}`, kind), detail, endsAt && t('endsAt', { when: format.dateTime(endsAt) })]
      .filter(Boolean)
      .join(', '),
  );
  const termOf = new Map(data.terms.map((term) => [term.id, term.name]));
  const records = data.records.map((record) => {
    const { createdAt, occurredAt, termId, revokedAt, revokedBy } = record;
    const notes = [
      record.note,
      createdAt !== occurredAt && t('entered', { when: format.dateTime(createdAt) }),
      termId !== null && t('ofTerm', { name: termOf.get(termId) ?? `#${termId}` }),
      revokedAt && t('revoked', { when: format.dateTime(revokedAt), name: authorName(revokedBy) }),
    ];
    return [
      time(occurredAt),
      format.signed(record.scoreChange),
      record.description,
      authorName(record.author),
      notes.filter(Boolean).join('. '),
    ];
  });
  const absences = data.absences.map(({ day, state, markedBy, markedAt }) => [
    day,
    named(state, state),
    authorName(markedBy),
    time(markedAt),
  ]);
  const fields = {
    ...{ username: t('username'), actualName: t('name'), classId: t('classNumber'), disabled: t('disabled') },
    ...{ externalId: t('externalId'), cardNumber: t('cardNumber') },
  };
  const imports = data.imports.map(({ createdAt, username, action, before, after }) => [
    time(createdAt),
    named(`import_${action}`, action),
    Object.entries(fields)
      .filter(([field]) => field in after)
      .map(([field, word]) => {
        const [old, now] = [before, after].map((values) => values[field as 'username'] ?? '–');
        return action === 'created' ? `${word}: ${now}` : `${word}: ${old} → ${now}`;
      })
      .join('; '),
    username,
  ]);
  const terms = data.terms.map(({ name, className, startedAt, closedAt, standing }) => [
    // Adds the name in the final ranking of that term if the student was renamed since.
    standing && standing.actualName !== account.actualName ? `${name} (${standing.actualName})` : name,
    className,
    `${format.dateTime(startedAt)} – ${format.dateTime(closedAt)}`,
    standing ? format.number(standing.rank) : '–',
    standing ? format.number(standing.totalScore) : '–',
  ]);
  const signIns = data.signIns.map((signIn) => [
    time(signIn.createdAt),
    time(signIn.lastSeenAt),
    named(`way_${signIn.openedWith}`, signIn.openedWith) + (signIn.shared ? `, ${t('shared')}` : ''),
    signIn.userAgent ?? '–',
    signIn.ip ?? '–',
  ]);
  const events = data.events.map(({ createdAt, kind, userAgent, ip }) => [
    time(createdAt),
    named(`event_${kind}`, kind),
    userAgent ?? '–',
    ip ?? '–',
  ]);
  const activity = data.activity.map(({ createdAt, action, username, name }) => [
    time(createdAt),
    named(`action_${action}`, action),
    username,
    name ?? '–',
  ]);
  return [
    list(t('account'), [
      [t('name'), account.actualName],
      [t('username'), account.username],
      [t('studentId'), String(id)],
      [t('classOf'), `${account.gradeName} ${account.className}`],
      [t('externalId'), account.externalId],
      [t('cardNumber'), account.cardNumber],
      [t('email'), account.email ?? t(account.emailBoundAt === null ? 'none' : 'emailHidden')],
      [t('waysIn'), ways.join('; ') || t('none')],
      [t('createdAt'), time(account.createdAt)],
      [t('disabledAt'), timeIf(account.disabledAt)],
      [t('erasedAt'), timeIf(account.erasedAt)],
      [t('pickedOn'), account.pickedOn],
      [t('seat'), seat && t('seatText', { group: seat.groupIndex, row: seat.row, col: seat.col })],
      [t('team'), team && `${team.name}, ${format.dateTime(team.joinedAt)}`],
    ]),
    list(t('totals'), [
      [t('total'), format.number(totals.totalScore)],
      [t('plus'), format.signed(totals.addScore)],
      [t('minus'), format.signed(totals.deductScore)],
      [t('recordCount'), format.number(totals.scoreCount)],
    ]),
    table(t('records'), [t('when'), t('points'), t('reason'), t('by'), t('note')], records, 1),
    table(t('absences'), [t('day'), t('what'), t('by'), t('when')], absences),
    table(t('imports'), [t('when'), t('what'), t('changes'), t('by')], imports),
    table(t('terms'), [t('term'), t('class'), t('period'), t('place'), t('points')], terms),
    table(t('signIns'), [t('since'), t('lastSeen'), t('method'), t('device'), t('address')], signIns),
    table(t('events'), [t('when'), t('what'), t('device'), t('address')], events),
    table(t('activity'), [t('when'), t('what'), t('by'), t('username')], activity),
  ];
}

/** HTML that is already safe; `markup` escapes plain strings. */
class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

type Value = string | Markup | readonly Markup[];

const shown = (value: Value): string => {
  if (typeof value === 'string') return escaped(value);
  return value instanceof Markup ? value.html : value.map(({ html }) => html).join('');
};

/** Builds HTML from a template. Escapes strings, and inserts `Markup` as it is. Attributes must be in double quotes. */
function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    parts.map((part, i) => part + (i < values.length ? shown(values[i] ?? '') : '')).join(''),
  );
}
