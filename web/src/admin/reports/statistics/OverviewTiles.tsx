import { useOperation } from '../../../api/queries.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { StatTiles } from '../figures/StatTiles.tsx';
import { texts } from './texts.ts';

interface OverviewTilesProps {
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
}

export function OverviewTiles({ gradeId, classId }: OverviewTilesProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const { data: overview } = useOperation('getStatsOverview', { query: { schoolDb, gradeId, classId } });
  return (
    <StatTiles
      label={t('overview')}
      tiles={[
        { key: 'students', label: t('students'), value: overview && format.number(overview.totalUsers) },
        { key: 'total', label: t('totalPoints'), value: overview && format.number(overview.totalScores) },
        { key: 'average', label: t('average'), value: overview && format.average(overview.avgScore) },
        { key: 'best', label: t('best'), value: overview && format.number(overview.maxScore) },
        { key: 'lowest', label: t('lowest'), value: overview && format.number(overview.minScore) },
      ]}
    />
  );
}
