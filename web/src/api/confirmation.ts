let waiting: ((isConfirmed: boolean) => void)[] = [];
const listeners = new Set<() => void>();

const notifyListeners = () => {
  for (const listener of listeners) listener();
};

export const confirmationState = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => waiting.length > 0,
};

/** Asks the person to confirm their identity. Returns false if they cancelled. */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    notifyListeners();
  });
}

export function endConfirmation(isConfirmed: boolean): void {
  const answered = waiting;
  waiting = [];
  notifyListeners();
  for (const answer of answered) answer(isConfirmed);
}
