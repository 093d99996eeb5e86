export interface TypedPasswords {
  readonly old: string;
  readonly fresh: string;
  readonly repeated: string;
}

type Fault = 'required' | 'tooShort' | 'sameAsOld' | 'notTheSame';

export function passwordErrorsOf(
  { old, fresh, repeated }: TypedPasswords,
  lengthMin: number,
): { readonly [K in keyof TypedPasswords]?: Fault } {
  const freshFault = [...fresh].length < lengthMin ? 'tooShort' : fresh === old ? 'sameAsOld' : null;
  return {
    ...(old === '' && { old: 'required' as const }),
    ...(freshFault && { fresh: freshFault }),
    ...(repeated !== fresh && { repeated: 'notTheSame' as const }),
  };
}
