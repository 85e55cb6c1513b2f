interface Snippet {
  about: RegExp;
  javascript: string;
  python: string;
}

const UNIQUE: Snippet = {
  about: /duplicat|unique|unik|ganda/i,
  javascript: `// Keeps the first of each and the order of the list.
function unique(items) {
  return [...new Set(items)];
}

console.log(unique([3, 1, 3, 2, 1])); // [3, 1, 2]`,
  python: `# Keeps the first of each and the order of the list.
def unique(items):
    return list(dict.fromkeys(items))

print(unique([3, 1, 3, 2, 1]))  # [3, 1, 2]`,
};

const SNIPPETS: Snippet[] = [
  UNIQUE,
  {
    about: /fibonacci/i,
    javascript: `function* fibonacci() {
  let [a, b] = [0, 1];
  for (;;) {
    yield a;
    [a, b] = [b, a + b];
  }
}

for (const n of fibonacci()) {
  if (n > 100) break;
  console.log(n);
}`,
    python: `def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b

for n in fibonacci():
    if n > 100:
        break
    print(n)`,
  },
  {
    about: /palindrom|reverse|balik/i,
    javascript: `function isPalindrome(text) {
  const letters = [...text.toLowerCase()].filter((c) => /[\\p{L}\\p{N}]/u.test(c));
  return letters.join('') === letters.reverse().join('');
}

console.log(isPalindrome('Kasur ini rusak')); // true`,
    python: `def is_palindrome(text):
    letters = [c for c in text.lower() if c.isalnum()]
    return letters == letters[::-1]

print(is_palindrome("Kasur ini rusak"))  # True`,
  },
];

/** A small program near to what was asked for, in Python where that is named. */
export function snippetFor(question: string): { language: 'javascript' | 'python'; code: string } {
  const snippet = SNIPPETS.find(({ about }) => about.test(question)) ?? UNIQUE;
  const language = /\bpython\b/i.test(question) ? 'python' : 'javascript';
  return { language, code: snippet[language] };
}
