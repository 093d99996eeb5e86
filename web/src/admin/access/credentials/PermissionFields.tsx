import type { Permission } from '@classledger/contract';
import { Button, Checkbox, Group, Input, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Credentials.module.css';
import { permissionTexts } from './permission-texts.ts';
import { texts } from './texts.ts';

interface PermissionFieldsProps {
  readonly offered: DataOf<'getCredentialMeta'>['permissions'];
  readonly value: readonly Permission[];
  readonly onChange: (value: Permission[]) => void;
  readonly error?: string | false | undefined;
}

/** Shows permissions to delete data in a group of their own, which no preset contains. */
export function PermissionFields({ offered, value, onChange, error }: PermissionFieldsProps) {
  const t = useTexts(texts);
  const harmless = offered.filter(({ dangerous }) => !dangerous).map(({ name }) => name);
  const dangerous = offered.filter((one) => one.dangerous).map(({ name }) => name);
  const presets = [
    ['presetRead', harmless.filter((name) => name.endsWith(':read'))],
    ['presetSafe', harmless],
    ['presetNone', []],
  ] as const;
  const toggle = (name: Permission, on: boolean) =>
    // Keeps the display order, not the order of the clicks.
    onChange(offered.map((one) => one.name).filter((other) => (other === name ? on : value.includes(other))));
  const box = (name: Permission) => (
    <PermissionBox
      key={name}
      name={name}
      checked={value.includes(name)}
      onChange={(on) => toggle(name, on)}
    />
  );
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{t('permissions')}</legend>
      <Text size="sm" c="dimmed">
        {t('permissionsHint')}
      </Text>
      <Group gap="xs" my="sm">
        {presets.map(([text, names]) => (
          <Button key={text} size="xs" variant="default" onClick={() => onChange([...names])}>
            {t(text)}
          </Button>
        ))}
      </Group>
      {error && (
        <Input.Error mb="sm" role="alert" data-fault tabIndex={-1}>
          {error}
        </Input.Error>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
        {harmless.map(box)}
      </SimpleGrid>
      <Paper className={classes.dangerFrame ?? ''} radius="md" mt="md">
        <Stack gap="sm">
          <div>
            <div className={classes.dangerTitle}>
              <IconAlertTriangle aria-hidden size={18} />
              {t('dangerTitle')}
            </div>
            <Text size="sm">{t('dangerText')}</Text>
          </div>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
            {dangerous.map(box)}
          </SimpleGrid>
        </Stack>
      </Paper>
    </fieldset>
  );
}

interface PermissionBoxProps {
  readonly name: Permission;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function PermissionBox({ name, checked, onChange }: PermissionBoxProps) {
  const p = useTexts(permissionTexts);
  return (
    <Checkbox
      className={classes.permission ?? ''}
      wrapperProps={{ 'data-first': name.endsWith(':read') || undefined }}
      label={p(name)}
      description={p(`about ${name}`)}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
