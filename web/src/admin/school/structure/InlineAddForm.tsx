import { limits } from 'virtual:contract';
import { Button, CloseButton, Group, Loader, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { useFailureText } from '../../../components/failure-text.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';

interface InlineAddFormProps {
  readonly buttonLabel: string;
  /** The label of the button with more detail, for screen readers. */
  readonly buttonDetail?: string;
  readonly label: string;
  readonly placeholder: string;
  readonly taken: string;
  readonly onAdd: (name: string) => Promise<unknown>;
  readonly prominent?: boolean;
  readonly startsOpen?: boolean;
  /** Called when the field closes. Without it, the field becomes a button again. */
  readonly onClosed?: () => void;
}

/** Adds something by its name. Stays open after Enter, so that the user can type several names. */
export function InlineAddForm(props: InlineAddFormProps) {
  const { buttonLabel, buttonDetail, label, placeholder, taken, onAdd } = props;
  const { prominent = false, startsOpen = false, onClosed } = props;
  const c = useTexts(commonTexts);
  const failureText = useFailureText();
  const [open, setOpen] = useState(startsOpen);
  const [name, setName] = useState('');
  const [pending, setPending] = useState(0);
  const [failed, setFailed] = useState<{ name: string; text: string } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    setName('');
    setFailed(null);
    if (onClosed) onClosed();
    else requestAnimationFrame(() => button.current?.focus());
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '') return;
    // Clears the field at once, so that the user can type the next name while this one is saved.
    setName('');
    setFailed(null);
    setPending((count) => count + 1);
    input.current?.focus();
    try {
      await onAdd(wanted);
    } catch (failure) {
      setFailed({ name: wanted, text: failureText(failure, { 409: taken }) });
      setName((typed) => typed || wanted);
    }
    setPending((count) => count - 1);
  };
  if (!open) {
    return (
      <Button
        ref={button}
        variant={prominent ? 'filled' : 'subtle'}
        size="sm"
        leftSection={<IconPlus aria-hidden size={16} />}
        {...(buttonDetail !== undefined && { 'aria-label': buttonDetail })}
        onClick={() => setOpen(true)}
      >
        {buttonLabel}
      </Button>
    );
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group gap={6} align="flex-start" wrap="nowrap">
        <TextInput
          ref={input}
          aria-label={label}
          placeholder={placeholder}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
          }}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={failed && (failed.name === name ? failed.text : `${failed.name}: ${failed.text}`)}
          rightSection={pending > 0 && <Loader size="xs" />}
          autoFocus
          flex={1}
          maw={360}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {c('add')}
        </Button>
        <CloseButton size="lg" aria-label={c('close')} onClick={close} />
      </Group>
    </form>
  );
}
