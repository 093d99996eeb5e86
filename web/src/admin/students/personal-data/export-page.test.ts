import { deriveExample, StudentExport } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { personalDataPage } from './export-page.ts';

const hostile = `"><img src=x onerror=alert(1)>'</style></script>&amp;`;

/** Returns an export with every field, in which each text is this text. */
const dataWith = (text: string): StudentExport =>
  JSON.parse(JSON.stringify(deriveExample(StudentExport)), (_, value) =>
    typeof value !== 'string' || /^\d{4}-\d\d-\d\d/.test(value) ? value : text,
  );

describe.each(['en', 'zh-CN'] as const)('Export page of a student’s data in %s', (language) => {
  it('runs no script and loads nothing, even with hostile data', () => {
    const page = personalDataPage(dataWith(hostile), language, 'Asia/Shanghai');
    expect(page).not.toContain('<img');
    expect(page.match(/<\/?(?:script|link|iframe|img|object|form)\b/gi)).toBeNull();
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page).not.toMatch(/\b(?:https?:|url\(|@import|javascript:)/i);
    expect(page).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;');
    expect(page).toContain(`default-src 'none'`);
  });

  it('shows every part, and each of thousands of records', () => {
    const data = dataWith('somebody');
    const records = Array(5_000).fill(data.records[0]);
    const account = { ...data.account, actualName: 'renamed' };
    const page = personalDataPage({ ...data, records, account }, language, 'Asia/Shanghai');
    expect(page.match(/<tr><td class="when"><time/g)).toHaveLength(5_000 + 4);
    expect(page.match(/<h2>/g)).toHaveLength(9);
    expect(page).toContain(`lang="${language}"`);
    // The name in the final ranking.
    expect(page).toContain('somebody (somebody)');
  });

  it('says that a part is empty', () => {
    const none = { ...dataWith('somebody'), records: [], terms: [], signIns: [], events: [], activity: [] };
    expect(personalDataPage(none, language, 'Asia/Shanghai').match(/<p class="quiet">/g)).toHaveLength(6);
  });
});
