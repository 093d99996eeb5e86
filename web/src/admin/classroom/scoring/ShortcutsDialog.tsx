import { Group, Kbd, Modal, Stack, Switch, Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useBoardSettings } from './board-context.ts';
import { texts } from './texts.ts';

/** Several keys in an entry are alternatives. */
const shortcuts = [
  [['1', '…', '9', '0'], 'keyDigits'],
  [['A'], 'keyAll'],
  [['I'], 'keyInvert'],
  [['Esc'], 'keyNone'],
  [['←', '↑', '→', '↓'], 'keyArrows'],
  [['␣'], 'keySpace'],
  [['⏎'], 'keyEnter'],
  [['R'], 'random'],
  [['/'], 'searchLabel'],
  [['T'], 'keyTimer'],
  [['Ctrl / ⌘', 'Z'], 'keyUndo'],
  [['?'], 'keyHelp'],
] as const;

const gestures = [
  ['gestureTap', 'gestureTapText'],
  ['gestureLabel', 'gestureLabelText'],
  ['gestureDrag', 'gestureDragText'],
  ['gestureShift', 'gestureShiftText'],
] as const;

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const [{ singleKeys }, change] = useBoardSettings();
  const hasTimer = useIsToolEnabled('timer');
  return (
    <Modal opened onClose={onClose} title={t('shortcuts')} size="lg">
      <Stack>
        <Switch
          label={t('singleKeys')}
          description={t('singleKeysHint')}
          checked={singleKeys}
          onChange={(event) => change({ singleKeys: event.currentTarget.checked })}
        />
        <Explanations
          rows={shortcuts
            .filter(([, does]) => does !== 'keyTimer' || hasTimer)
            .map(([keys, does]) => [
              t(does),
              <Group key={does} gap={4}>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>,
            ])}
        />
        <Title order={3}>{t('gesturesTitle')}</Title>
        <Explanations rows={gestures.map(([how, does]) => [t(does), t(how)])} />
      </Stack>
    </Modal>
  );
}

function Explanations({ rows }: { readonly rows: readonly (readonly [does: string, how: ReactNode])[] }) {
  return (
    <Table verticalSpacing={6} withRowBorders={false}>
      <Table.Tbody>
        {rows.map(([does, how]) => (
          <Table.Tr key={does}>
            <Table.Td w={170}>{how}</Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
