import type { ClassroomTool, ClassSummary } from '@classledger/contract';
import { Button, Group, Stack } from '@mantine/core';
import { type Icon, IconSchool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ClassChoice } from '../../components/StructurePickers.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo, useOnlyClassId } from '../me.ts';
import { DialogProvider } from '../page/dialogs.tsx';
import { useSchool, useSelectedClass } from '../school.tsx';
import { useToolCheck } from '../use-is-tool-enabled.ts';
import { ClassSwitch } from './ClassSwitch.tsx';
import { texts } from './texts.ts';

interface NoClassProps {
  readonly title: string;
  readonly chooseHint: string;
  readonly noneHint?: string;
}

export interface ClassContentProps {
  readonly schoolDb: string;
  readonly of: ClassSummary;
  readonly picker: ReactNode;
}

interface ClassPageGateProps extends NoClassProps {
  /** What the page shows if the school has switched its tool off. */
  readonly off?: {
    readonly tool: ClassroomTool;
    readonly icon: Icon;
    readonly title: string;
    readonly hint: string;
  };
  readonly children: (content: ClassContentProps) => ReactNode;
}

export function ClassPageGate({ off, children, ...none }: ClassPageGateProps) {
  const isEnabled = useToolCheck();
  const { schoolDb } = useSchool();
  const { classId, choose } = useSelectedClass();
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const shown = classes?.find(({ id }) => id === classId);
  if (off && !isEnabled(off.tool)) {
    return (
      <>
        <PageHeader title={none.title} />
        <EmptyState icon={off.icon} title={off.title} hint={off.hint} />
      </>
    );
  }
  if (!shown) return <NoClass {...none} />;
  const picker = <ClassSwitch schoolDb={schoolDb} value={shown.id} onChange={choose} />;
  return <DialogProvider>{children({ schoolDb, of: shown, picker })}</DialogProvider>;
}

export function NoClass({ title, chooseHint, noneHint }: NoClassProps) {
  const t = useTexts(texts);
  const onlyClassId = useOnlyClassId();
  const mayMakeClasses = useMayDo()('manageClasses');
  const { schoolDb } = useSchool();
  const { choose, isUnknown, graduated } = useSelectedClass();
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const picker = <ClassChoice schoolDb={schoolDb} value={null} onChange={choose} />;
  const explanation = () => {
    if (graduated) {
      const { id, name, gradeName } = graduated;
      const action = (
        <Stack gap="sm" mt="xs" align="center">
          <Button
            renderRoot={(props) => <Link to="/students" search={{ class: id }} {...props} />}
            variant="default"
          >
            {t('toStudents')}
          </Button>
          {onlyClassId === null && picker}
        </Stack>
      );
      return {
        title: t('graduatedTitle', { name: `${gradeName} ${name}` }),
        hint: t('graduatedHint'),
        action,
      };
    }
    if (classes.data?.length === 0) {
      if (!mayMakeClasses) return { title: t('noClassesTitle'), hint: t('noTaughtClassesHint') };
      const action = (
        <Button component={Link} to="/structure" mt="xs">
          {t('toStructure')}
        </Button>
      );
      return { title: t('noClassesTitle'), hint: noneHint ?? t('noClassesHint'), action };
    }
    const action = <Group mt="xs">{picker}</Group>;
    return isUnknown
      ? { title: t('unknownClassTitle'), hint: t('unknownClassHint'), action }
      : { title: t('chooseClassTitle'), hint: chooseHint, action };
  };
  return (
    <>
      <PageHeader title={title} />
      {classes.data ? (
        <EmptyState icon={IconSchool} {...explanation()} />
      ) : (
        <LoadingOrError of={[classes]} rows={5} height={64} />
      )}
    </>
  );
}
