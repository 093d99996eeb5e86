import { expect } from 'vitest';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as figureTexts } from '../../../web/src/admin/reports/figures/texts.ts';
import { texts as statisticsTexts } from '../../../web/src/admin/reports/statistics/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { downloadLines } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { checkPrintout } from '../harness/page-actions.ts';

describeJourneys('dashboard and statistics', ['grade', 'school'], (journey) => {
  journey('the dashboard shows figures of the own range and links to statistics', async (visit) => {
    const { page, say } = visit;
    const t = say(dashboardTexts);
    const s = say(statisticsTexts);
    const own = rangeOf(visit);
    await givePoints(visit);
    await visit.go('/admin');

    const overview = page.getByRole('region', { name: t('overview') });
    await overview.getByText(t('records', { count: own.records })).waitFor();
    const tile = (name: 'students' | 'total') => overview.locator('dl > div').filter({ hasText: t(name) });
    await tile('students').getByText(String(own.students), { exact: true }).waitFor();
    await tile('total').getByText(String(own.total), { exact: true }).waitFor();
    await page
      .getByText(say(figureTexts)('daysSummary', { plus: own.plus, minus: '−2', count: 7 }))
      .waitFor();
    const part = (name: 'classes' | 'leaders' | 'latest') =>
      page.getByRole('region', { name: t(name), exact: true }).getByRole('listitem');
    await part('leaders').first().getByText(own.leader).waitFor();
    await part('latest').first().waitFor();
    await expect.poll(() => part('latest').count()).toBe(own.records);
    await expect.poll(() => part('classes').count()).toBe(own.classes);
    const toScoring = page.getByRole('main').getByRole('link', { name: t('scoreNow') });
    await expect.poll(() => toScoring.getAttribute('href')).toContain('/scoring');

    await page.getByRole('link', { name: t('allOf', { what: t('improved') }) }).click();
    await page.getByText(s('hintImprovement', { count: 7 })).waitFor();
  });

  journey('statistics rank, print and export the own range, filtered by class and days', async (visit) => {
    const { page, say, screen, traveller } = visit;
    const t = say(statisticsTexts);
    const own = rangeOf(visit);
    const table = screen === 'phone' ? 'list' : 'table';
    await visit.goOn('/admin/statistics');

    await page
      .getByRole('region', { name: t('overview') })
      .getByText('−2', { exact: true })
      .waitFor();
    const ranking = page.getByRole(table, { name: t('ranking') });
    await ranking.getByText(own.leader).waitFor();
    await expect.poll(() => ranking.getByText(/^s2/).count()).toBe(own.classes === 4 ? 6 : 0);

    await page.getByRole('button', { name: t('export') }).click();
    const csv = { name: `${t('exportClasses')}: ${say(listTexts)('saveCsv')}` };
    const saved = await downloadLines(page, page.getByRole('menuitem', csv));
    expect(saved).toHaveLength(own.classes + 1);
    expect(saved).toContain('Grade 1,Class A,3,3,1,2,5,-2,3');

    await checkPrintout(page, async (paper) => {
      await page.getByRole('button', { name: t('print') }).click();
      const tables = paper.locator('table');
      await tables.last().locator('tbody').getByText(own.leader).waitFor({ state: 'attached' });
      expect(await tables.last().locator('tbody tr').count()).toBeGreaterThanOrEqual(own.students);
      expect(await tables.count()).toBe(2);
      if (traveller === 'grade') await paper.getByText('Grade 1 · ').waitFor({ state: 'attached' });
    });

    const compared = page.getByRole(table, { name: t('classes') });
    await expect.poll(() => compared.getByRole('link').count()).toBe(own.classes);
    await compared.getByRole('link', { name: 'Grade 1 Class A' }).click();
    await compared.waitFor({ state: 'detached' });
    const others = ranking.getByText(/^s(1b|2)/);
    await others.first().waitFor({ state: 'detached' });
    await ranking.getByText('s1a1').waitFor();

    await page
      .getByRole('radiogroup', { name: t('period') })
      .getByText(t('days7'))
      .click();
    await page
      .getByRole('radiogroup', { name: t('rankBy') })
      .getByText(t('byRecent'))
      .click();
    await page.getByText(t('hintRecent', { count: 7 })).waitFor();
    await visit.row('s1a1').getByText('+5').first().waitFor();
    expect(page.url()).toMatch(/days=7.*by=recent/);
  });
});

const rangeOf = ({ traveller }: Visit) =>
  traveller === 'grade'
    ? { classes: 2, students: 6, records: 3, total: 7, plus: '+9', leader: 's1a1' }
    : { classes: 4, students: 12, records: 4, total: 37, plus: '+39', leader: 's2b1' };

async function givePoints({ admin, school }: Visit): Promise<void> {
  const { schoolDb, grades } = school;
  const [[a, b], [, d]] = [grades[0].classes, grades[1].classes];
  const items = [
    { userId: a.students[0]?.id, scoreChange: 5, description: 'Homework' },
    { userId: a.students[1]?.id, scoreChange: -2, description: 'Late' },
    { userId: b.students[0]?.id, scoreChange: 4, description: 'Reading' },
    { userId: d.students[0]?.id, scoreChange: 30, description: 'Contest' },
  ];
  await admin.created('/scores/batch', { schoolDb, items });
}
