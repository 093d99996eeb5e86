import { IconUsersGroup } from '@tabler/icons-react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { ClassPageGate } from '../ClassPageGate.tsx';
import { ClassTeamsPart } from './ClassTeamsPart.tsx';
import { texts } from './texts.ts';

export function TeamsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  if (!useIsToolEnabled('teams')) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState icon={IconUsersGroup} title={t('offTitle')} hint={t('offHint')} />
      </>
    );
  }
  return (
    <ClassPageGate title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')}>
      {(shown, picker) => <ClassTeamsPart key={shown.id} schoolDb={schoolDb} of={shown} picker={picker} />}
    </ClassPageGate>
  );
}
