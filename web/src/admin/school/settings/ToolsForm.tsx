import type { ClassroomTool } from '@classledger/contract';
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import classes from './SettingsPage.module.css';
import { texts } from './texts.ts';

/** All tools, in the order shown. The type check fails if one is missing. */
const tools = Object.keys({
  timer: 0,
  pick: 0,
  attendance: 0,
  notes: 0,
  teams: 0,
} satisfies Record<ClassroomTool, 0>) as readonly ClassroomTool[];

export function ToolsForm({ stored }: { readonly stored: readonly ClassroomTool[] }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [chosen, setChosen] = useState<readonly ClassroomTool[] | null>(null);
  const change = useMutationWithNotice(
    'updateSchoolSettings',
    () => t('saved'),
    // Keeps the choice if the user has changed it while it was being saved.
    (_, { body }) => setChosen((now) => (now && isSame(now, body.switchedOffTools ?? []) ? null : now)),
  );
  const off = chosen ?? stored;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ body: { schoolDb, switchedOffTools: tools.filter((tool) => off.includes(tool)) } });
      }}
    >
      <Stack>
        <Checkbox.Group
          aria-label={t('toolsTitle')}
          value={tools.filter((tool) => !off.includes(tool))}
          onChange={(on) => setChosen(tools.filter((tool) => !on.includes(tool)))}
        >
          <div className={classes.tools}>
            {tools.map((tool) => (
              <Checkbox key={tool} value={tool} label={t(tool)} description={t(`${tool}Hint`)} />
            ))}
          </div>
        </Checkbox.Group>
        <FailureAlert error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={isSame(off, stored)}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const isSame = (one: readonly ClassroomTool[], other: readonly ClassroomTool[]): boolean =>
  one.length === other.length && one.every((tool) => other.includes(tool));
