import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../../../school-time/school-time.ts';
import { useSchool } from '../../school.tsx';
import { lastPromotionSince } from './promotion-draft.ts';
import { texts } from './texts.ts';

/** Warns this many days after a promotion, because schools promote only once a year. */
const recentDays = 60;

export function LastPromotion() {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const { today, dayOf } = useSchoolTime();
  // Reads several, because the list also contains promotions that were undone.
  const { data } = useOperation('listPromotions', { query: { schoolDb, page: 1, limit: 20 } });
  const last = lastPromotionSince(data ?? [], dayBefore(today(), recentDays), dayOf);
  if (!last) return null;
  return (
    <Alert color="yellow" mb="md" py="xs" icon={<IconAlertTriangle aria-hidden />}>
      {t('movedUpAlready', { when: format.day(last.createdAt), name: last.name })}{' '}
      <Anchor
        renderRoot={(own) => <Link to="/structure/promotion" search={{ promotion: last.id }} {...own} />}
        size="sm"
        underline="always"
      >
        {t(last.undo.isPossible ? 'showOrUndo' : 'showPromotion')}
      </Anchor>
    </Alert>
  );
}
