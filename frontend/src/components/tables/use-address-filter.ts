import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

/** What a list is narrowed to; an empty text narrows nothing. */
export type AddressFilter<Name extends string> = Record<Name, string>;

/** The fields that narrow, as parameters of an address. */
export const paramsOf = (filter: AddressFilter<string>): string =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])),
  ).toString();

/** A filter, which the address keeps over a reload and in a link. @param names never change */
export function useAddressFilter<Name extends string>(
  names: readonly Name[],
): [filter: AddressFilter<Name>, change: (fields: Partial<AddressFilter<Name>>) => void] {
  const { pathname, search, state } = useLocation();
  // While the next page loads, the address is that of the next page already.
  const [ownPath] = useState(pathname);
  const navigate = useNavigate();
  const inAddress = () => filterIn(search, names);
  const [filter, setFilter] = useState(inAddress);
  // A link, Back and Forward lead to another entry of the history. The filter's own changes keep theirs, and reach the
  // address after the field, in which one may have typed on.
  const [entry, setEntry] = useState(state.__TSR_index);
  if (pathname === ownPath && entry !== state.__TSR_index) {
    setEntry(state.__TSR_index);
    setFilter(inAddress);
  }
  const change = (fields: Partial<AddressFilter<Name>>) => {
    const changed = { ...filter, ...fields };
    setFilter(changed);
    const kept = Object.fromEntries(names.flatMap((name) => (changed[name] ? [[name, changed[name]]] : [])));
    void navigate({ to: '.', search: kept as never, replace: true });
  };
  return [filter, change];
}

const filterIn = <Name extends string>(search: Record<string, unknown>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as AddressFilter<Name>;

/** The router reads digits in an address as a number. */
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');
