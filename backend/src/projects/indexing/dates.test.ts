import { codesIn, askedCodes } from './codes.js';
import { datesIn } from './dates.js';

it.each([
  ['on 3 May 2024 and May 3rd, 2024', ['20240503']],
  ['03.05.2024', ['20240503', '20240305']],
  ['31/12/2023 or 12/31/2023', ['20231231']],
  ['2024-05-03, 2024/5/3 and 2024.5.3.', ['20240503']],
  ['3 Mei 2024, tanggal 17 Agustus 1945', ['20240503', '19450817']],
  ['le 1er février 2024', ['20240201']],
  ['3. März 2024 und 03-Okt-2024', ['20240303', '20241003']],
  ['3 de mayo de 2024', ['20240503']],
  ['Dec. 20,\n2018', ['20181220']],
  ['2024年5月3日, 2020년 4월 2일', ['20240503', '20200402']],
  ['٣/٥/٢٠٢٤', ['20240503', '20240305']],
  ['45.67.2024, version 1.2.2024.5, AB-03-05-2024, 3 May, May 2024, 3 Mayor 2024', []],
])('finds the dates in %j', (text, codes) => {
  expect(datesIn(text).codes.toSorted()).toEqual(codes.toSorted());
});

it('looks for a date in its own form alone where it was written in another one', () => {
  expect(askedCodes('the meeting of 03.05.2024')).toEqual(['20240503', '20240305']);
  expect(codesIn('Meeting on May 3, 2024')).toContain('20240503');
  expect(codesIn('Part 03-05-2024')).toEqual(expect.arrayContaining(['03052024', '20240503', '20240305']));
});

it('takes linear time', () => {
  for (const piece of ['1', '2024', '2024-', '1.1.', '3 May ', '3 of ', 'May 3', 'may', '1. ', '2024年'])
    datesIn(piece.repeat(100_000));
});
