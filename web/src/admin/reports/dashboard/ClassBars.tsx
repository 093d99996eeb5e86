import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { orderClasses } from '../figures/class-order.ts';
import classes from './Dashboard.module.css';
import { Panel, refreshOptions } from './Panel.tsx';
import { texts } from './texts.ts';

const shownMax = 8;

const barHeight = 47;

/** Draws plain bars, so that the first load needs no code for charts. */
export function ClassBars() {
  const t = useTexts(texts);
  const format = useFormat();
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const compared = useOperationList('compareClasses', { query: { schoolDb, days: 7 } }, refreshOptions);
  if (compared.data && compared.data.rows.length < 2) return null;
  return (
    <Panel
      title={t('classes')}
      hint={t('classesHint')}
      more={{ to: '/statistics', search: { days: 7 } }}
      query={compared}
      rows={shownMax}
      rowHeight={barHeight}
    >
      {({ rows }) => {
        const best = Math.max(1, ...rows.map(({ avgScore }) => avgScore));
        const hidden = rows.length - shownMax;
        // Shows grades only if class names are ambiguous, because many schools' class names contain the grade.
        const withGrade = new Set(rows.map(({ className }) => className)).size < rows.length;
        return (
          <>
            <ul className={classes.list}>
              {orderClasses(rows, { key: 'average', descending: true }, language)
                .slice(0, shownMax)
                .map((row) => (
                  <li key={row.classId} className={classes.row}>
                    <div className={classes.grow}>
                      <div className={classes.panelHead} data-tight>
                        <Anchor
                          c="inherit"
                          fw={500}
                          renderRoot={(props) => (
                            <Link to="/statistics" search={{ class: row.classId, days: 7 }} {...props} />
                          )}
                        >
                          {withGrade ? `${row.gradeName} ${row.className}` : row.className}
                        </Anchor>
                        <span className={classes.value}>{format.average(row.avgScore)}</span>
                      </div>
                      <div className={classes.bar} aria-hidden>
                        <div style={{ width: `${Math.max(0, (row.avgScore / best) * 100)}%` }} />
                      </div>
                    </div>
                    <span className={classes.recent}>
                      <ScoreText value={row.recent.totalScore} />
                    </span>
                  </li>
                ))}
            </ul>
            {hidden > 0 && (
              <Text size="sm" c="dimmed" mt={4}>
                {t('moreClasses', { count: hidden })}
              </Text>
            )}
          </>
        );
      }}
    </Panel>
  );
}
