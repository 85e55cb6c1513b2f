import { guessLanguage } from './guess-language';

it.each([
  ['The cat sat on the mat and looked to the door.', 'id', 'en'],
  ['Ini adalah kalimat yang tidak panjang.', 'en', 'id'],
  ['Guten Morgen, wie geht es Ihnen?', 'en', 'en'],
  ['今日は天気がいいですね。', 'en', 'ja'],
  ['今天天气很好。', 'en', 'zh'],
  ['오늘은 날씨가 좋네요.', 'en', 'ko'],
  ['Сегодня хорошая погода, JavaScript.', 'en', 'ru'],
  ['الطقس جميل اليوم', 'en', 'ar'],
  ['The word 猫 is the Japanese word for cat.', 'id', 'en'],
  ['', 'id', 'id'],
])('guesses the language of %j on a page in %s', (text, page, expected) => {
  expect(guessLanguage(text, page)).toBe(expected);
});
