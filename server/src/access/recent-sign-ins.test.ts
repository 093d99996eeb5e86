import { describe, expect, it } from 'vitest';
import { RecentSignIns } from './recent-sign-ins.ts';

describe('recent sign-ins', () => {
  it('are counted by account, each as long as the window from its last one', () => {
    const signIns = new RecentSignIns(1_000, { accountsMax: 10, signInsMax: 100 });
    signIns.add('a', 'one', 0);
    signIns.add('a', 'two', 0);
    signIns.add('b', 'one', 0);
    signIns.add('a', 'one', 600);
    expect([signIns.accounts('a', 999), signIns.accounts('a', 1_000), signIns.accounts('a', 1_600)]).toEqual([
      2, 1, 0,
    ]);
    expect([signIns.accounts('b', 999), signIns.accounts('c', 999)]).toEqual([1, 0]);
  });

  it('of one address are no more than count', () => {
    const signIns = new RecentSignIns(1_000, { accountsMax: 3, signInsMax: 100 });
    for (let n = 0; n < 50; n++) signIns.add('a', `account ${n}`, n);
    expect(signIns.accounts('a', 50)).toBe(3);
  });

  it('of all addresses are no more than fit into the memory: the quietest address is forgotten first', () => {
    const signIns = new RecentSignIns(1_000, { accountsMax: 5, signInsMax: 10 });
    for (let n = 0; n < 5; n++) signIns.add('school', `pupil ${n}`, n);
    for (let n = 0; n < 5; n++) signIns.add('other', `pupil ${n}`, n);
    signIns.add('school', 'pupil 0', 10);
    signIns.add('third', 'someone', 11);
    const all = ['school', 'other', 'third'].map((address) => signIns.accounts(address, 11));
    expect(all).toEqual([5, 0, 1]);
    for (let n = 0; n < 1_000; n++) signIns.add(`address ${n}`, 'someone', 20);
    expect(signIns.accounts('school', 20)).toBe(0);
  });
});
