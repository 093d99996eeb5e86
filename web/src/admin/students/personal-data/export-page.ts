import type { Author, StudentExport } from '@classledger/contract';
import type { Language } from '../../../i18n/language.ts';
import { withMinusSign } from '../../../i18n/letters.ts';
import { translatorOf } from '../../../i18n/texts.ts';
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
  return new ExportPage(data, language, timeZone).whole();
}

class ExportPage {
  readonly #data: StudentExport;
  readonly #language: Language;
  readonly #t;
  readonly #instant: Intl.DateTimeFormat;
  readonly #number: Intl.NumberFormat;
  readonly #signed: Intl.NumberFormat;

  constructor(data: StudentExport, language: Language, timeZone: string) {
    this.#data = data;
    this.#language = language;
    this.#t = translatorOf(exportTexts, language);
    this.#instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
    this.#number = new Intl.NumberFormat(language);
    this.#signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  }

  whole(): string {
    const t = this.#t;
    const { account, school, exportedAt } = this.#data;
    const zone = this.#instant.resolvedOptions().timeZone;
    const page = markup`<!doctype html>
<html lang="${this.#language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${t('title', { name: account.actualName })}</title>
<style>${markup.trusted(style)}</style>
</head>
<body>
<h1>${t('title', { name: account.actualName })}</h1>
<p>${t('asOf', { school: school.name, when: this.#when(exportedAt), zone })}</p>
<p class="quiet">${t('secrets')}</p>
${this.#account()}
${this.#records()}
${this.#absences()}
${this.#imports()}
${this.#terms()}
${this.#signIns()}
${this.#events()}
${this.#activity()}
</body>
</html>
`;
    return String(page);
  }

  #plain(value: number): string {
    return withMinusSign(this.#number.format(value));
  }

  #withSign(value: number): string {
    return withMinusSign(this.#signed.format(value));
  }

  #when(iso: string): string {
    return this.#instant.format(new Date(iso));
  }

  #time(iso: string): Markup {
    return markup`<time datetime="${iso}">${this.#when(iso)}</time>`;
  }

  #account(): Markup {
    const t = this.#t;
    const { id, account, waysIn, totals, seat, team } = this.#data;
    const ways = waysIn.map(({ kind, detail, endsAt }) =>
      [
        this.#named(`way_${kind}`, kind),
        detail ?? '',
        endsAt === null ? '' : t('endsAt', { when: this.#when(endsAt) }),
      ]
        .filter((part) => part !== '')
        .join(', '),
    );
    const email = account.email ?? (account.emailBoundAt === null ? t('none') : t('emailHidden'));
    const facts: readonly (readonly [label: string, value: string | Markup | null])[] = [
      [t('name'), account.actualName],
      [t('username'), account.username],
      [t('studentId'), String(id)],
      [t('classOf'), `${account.gradeName} ${account.className}`],
      [t('externalId'), account.externalId],
      [t('cardNumber'), account.cardNumber],
      [t('email'), email],
      [t('waysIn'), ways.join('; ') || t('none')],
      [t('createdAt'), this.#time(account.createdAt)],
      [t('disabledAt'), account.disabledAt && this.#time(account.disabledAt)],
      [t('erasedAt'), account.erasedAt && this.#time(account.erasedAt)],
      [t('pickedOn'), account.pickedOn],
      [t('seat'), seat ? t('seatText', { group: seat.groupIndex, row: seat.row, col: seat.col }) : null],
      [t('team'), team && `${team.name}, ${this.#when(team.joinedAt)}`],
    ];
    const points: readonly (readonly [string, string])[] = [
      [t('total'), this.#plain(totals.totalScore)],
      [t('plus'), this.#withSign(totals.addScore)],
      [t('minus'), this.#withSign(totals.deductScore)],
      [t('recordCount'), this.#plain(totals.scoreCount)],
    ];
    return markup`<h2>${t('account')}</h2>${this.#facts(facts)}<h2>${t('totals')}</h2>${this.#facts(points)}`;
  }

  #facts(facts: readonly (readonly [label: string, value: string | Markup | null])[]): Markup {
    const rows = facts.flatMap(([label, value]) =>
      value === null ? [] : [markup`<tr><th scope="row">${label}</th><td>${value}</td></tr>\n`],
    );
    return markup`<table class="facts"><tbody>\n${rows}</tbody></table>`;
  }

  #records(): Markup {
    const t = this.#t;
    const termOf = new Map(this.#data.terms.map(({ id, name }) => [id, name]));
    const rows = this.#data.records.map((record) => {
      const { createdAt, occurredAt, scoreChange, description, author, termId, revokedAt, revokedBy } =
        record;
      const notes = [
        record.note ?? '',
        createdAt === occurredAt ? '' : t('entered', { when: this.#when(createdAt) }),
        termId === null ? '' : t('ofTerm', { name: termOf.get(termId) ?? `#${termId}` }),
        revokedAt === null
          ? ''
          : t('revoked', { when: this.#when(revokedAt), name: this.#author(revokedBy) }),
      ];
      return [
        this.#time(occurredAt),
        this.#withSign(scoreChange),
        description,
        this.#author(author),
        notes.filter((note) => note !== '').join('. '),
      ];
    });
    return this.#table(t('records'), [t('when'), t('points'), t('reason'), t('by'), t('note')], rows, 1);
  }

  #absences(): Markup {
    const t = this.#t;
    const rows = this.#data.absences.map(({ day, state, markedBy, markedAt }) => [
      day,
      this.#named(`state_${state}`, state),
      this.#author(markedBy),
      this.#time(markedAt),
    ]);
    return this.#table(t('absences'), [t('day'), t('what'), t('by'), t('when')], rows);
  }

  #imports(): Markup {
    const t = this.#t;
    const words = {
      ...{
        username: t('username'),
        actualName: t('name'),
        classId: t('classNumber'),
        disabled: t('disabled'),
      },
      ...{ externalId: t('externalId'), cardNumber: t('cardNumber') },
    };
    const rows = this.#data.imports.map(({ createdAt, username, action, before, after }) => [
      this.#time(createdAt),
      this.#named(`import_${action}`, action),
      Object.entries(words)
        .filter(([field]) => field in after)
        .map(([field, word]) => {
          const [old, now] = [before, after].map((fields) => fields[field as 'username'] ?? '–');
          return action === 'created' ? `${word}: ${now}` : `${word}: ${old} → ${now}`;
        })
        .join('; '),
      username,
    ]);
    return this.#table(t('imports'), [t('when'), t('what'), t('changes'), t('by')], rows);
  }

  #terms(): Markup {
    const t = this.#t;
    const { actualName } = this.#data.account;
    const rows = this.#data.terms.map(({ name, className, startedAt, closedAt, standing }) => [
      // Adds the name in the final ranking of that term if the student was renamed since.
      standing && standing.actualName !== actualName ? `${name} (${standing.actualName})` : name,
      className,
      `${this.#when(startedAt)} – ${this.#when(closedAt)}`,
      standing ? this.#plain(standing.rank) : '–',
      standing ? this.#plain(standing.totalScore) : '–',
    ]);
    return this.#table(t('terms'), [t('term'), t('class'), t('period'), t('place'), t('points')], rows);
  }

  #signIns(): Markup {
    const t = this.#t;
    const rows = this.#data.signIns.map((signIn) => [
      this.#time(signIn.createdAt),
      this.#time(signIn.lastSeenAt),
      this.#named(`way_${signIn.openedWith}`, signIn.openedWith) + (signIn.shared ? `, ${t('shared')}` : ''),
      signIn.userAgent ?? '–',
      signIn.ip ?? '–',
    ]);
    return this.#table(
      t('signIns'),
      [t('since'), t('lastSeen'), t('method'), t('device'), t('address')],
      rows,
    );
  }

  #events(): Markup {
    const t = this.#t;
    const rows = this.#data.events.map(({ createdAt, kind, userAgent, ip }) => [
      this.#time(createdAt),
      this.#named(`event_${kind}`, kind),
      userAgent ?? '–',
      ip ?? '–',
    ]);
    return this.#table(t('events'), [t('when'), t('what'), t('device'), t('address')], rows);
  }

  #activity(): Markup {
    const t = this.#t;
    const rows = this.#data.activity.map(({ createdAt, action, username, name }) => [
      this.#time(createdAt),
      this.#named(`action_${action}`, action),
      username,
      name ?? '–',
    ]);
    return this.#table(t('activity'), [t('when'), t('what'), t('by'), t('username')], rows);
  }

  #author(author: Author | null): string {
    if (!author?.name) return this.#t('deletedAuthor');
    return author.type === 'credential' ? this.#t('byApp', { name: author.name }) : author.name;
  }

  /** Returns the text for a key; `otherwise` for a key that only a newer server knows. */
  #named(key: string, otherwise: string): string {
    return Object.hasOwn(exportTexts, key) ? this.#t(key as 'account') : otherwise;
  }

  #table(
    title: string,
    heads: readonly string[],
    rows: readonly (readonly (string | Markup)[])[],
    numeric = -1,
  ): Markup {
    const kindOf = (index: number) => (index === numeric ? 'number' : index === 0 ? 'when' : '');
    const head = heads.map((text, i) => markup`<th scope="col" class="${kindOf(i)}">${text}</th>`);
    const body = rows.map(
      (row) => markup`<tr>${row.map((cell, i) => markup`<td class="${kindOf(i)}">${cell}</td>`)}</tr>\n`,
    );
    if (rows.length === 0) return markup`<h2>${title}</h2><p class="quiet">${this.#t('nothing')}</p>`;
    return markup`<h2>${title}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body}</tbody></table></div>`;
  }
}

/** HTML that is already safe; `markup` escapes plain strings. */
class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
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
  return value instanceof Markup ? String(value) : value.join('');
};

/** Builds HTML from a template. Escapes strings, and inserts `Markup` as it is. Attributes must be in double quotes. */
function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    parts.map((part, i) => part + (i < values.length ? shown(values[i] ?? '') : '')).join(''),
  );
}

/** Wraps constant HTML of our own code. */
markup.trusted = (html: string) => new Markup(html);
