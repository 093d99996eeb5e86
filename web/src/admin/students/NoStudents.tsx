import { Button, Group } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo } from '../me.ts';
import { DialogButton, type RenderDialog } from '../page/dialogs.tsx';
import { useSchool } from '../school.tsx';
import { texts } from './texts.ts';

interface NoStudentsProps {
  readonly hint: string;
  readonly add: RenderDialog;
}

export function NoStudents({ hint, add }: NoStudentsProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const { schoolDb } = useSchool();
  const { data: known, isPending } = useOperation('listSchoolClasses', { query: { schoolDb } });
  // Shows no buttons before the classes are known, because the buttons would change under the pointer.
  if (isPending) return <EmptyState icon={IconUsers} title={t('emptyTitle')} />;
  if (!mayDo('manageStudents'))
    return <EmptyState icon={IconUsers} title={t('emptyTitle')} hint={t('emptyHintReader')} />;
  const needsClasses = known?.length === 0 && mayDo('manageClasses');
  return (
    <EmptyState
      icon={IconUsers}
      title={t('emptyTitle')}
      hint={needsClasses ? t('emptyHintNoClass') : hint}
      action={
        <Group justify="center" mt="xs">
          {needsClasses ? (
            <Button variant="default" component={Link} to="/structure">
              {t('toStructure')}
            </Button>
          ) : (
            <DialogButton variant="default" dialog={add}>
              {t('addStudent')}
            </DialogButton>
          )}
          {/* Leads to the administrators, because a school's own office usually sets up the school. */}
          {needsClasses && mayDo('manageSchools') && (
            <Button variant="default" component={Link} to="/administrators">
              {t('toAdministrators')}
            </Button>
          )}
          <Button component={Link} to="/students/import">
            {t('importList')}
          </Button>
        </Group>
      }
    />
  );
}
