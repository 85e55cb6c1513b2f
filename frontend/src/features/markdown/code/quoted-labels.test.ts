import { withQuotedLabels, withSemicolons } from './quoted-labels';

it.each([
  ['graph TD\n  A[Load (all)] --> B{x > 0?}', 'graph TD\n  A["Load (all)"] --> B{"x > 0?"}'],
  ['flowchart LR\n  A -->|a: b (c)| B[Dep @scope/x]', 'flowchart LR\n  A -->|"a: b (c)"| B["Dep @scope/x"]'],
  [
    'graph TD\n  subgraph S[Part (1)]\n  A[Plain text]\n  end',
    'graph TD\n  subgraph S["Part (1)"]\n  A[Plain text]\n  end',
  ],
  [
    'graph TD\n  A(Read (all)) --> B[Say "hi" now] %% or not\n  C([Call f(x)]) --> D // end',
    'graph TD\n  A("Read (all)") --> B["Say #quot;hi#quot; now"]\n  C(["Call f(x)"]) --> D',
  ],
  ['graph TD\n  A[Client // Server] --> B[f(x)]', 'graph TD\n  A["Client // Server"] --> B["f(x)"]'],
])('quotes the labels of %j', (source, expected) => expect(withQuotedLabels(source)).toBe(expected));

it.each([
  'graph TD\n  A[(Database)] --> B([Round]) --> C[/Slanted/] --> D["Quoted (x)"] --> E((Circle)) --> F["a // b"]',
  'sequenceDiagram\n  A->>B: [x (y)]',
])('leaves %j', (source) => expect(withQuotedLabels(source)).toBe(source));

it.each([
  [
    'sequenceDiagram\n  U->>S: Hello; world\n  Note over U: a; b',
    'sequenceDiagram\n  U->>S: Hello#59; world\n  Note over U: a#59; b',
  ],
  ['sequenceDiagram\n  U->>S: #35; one; S-->>U: two;', 'sequenceDiagram\n  U->>S: #35; one; S-->>U: two;'],
  ['graph TD\n  A --> B; B --> C', 'graph TD\n  A --> B; B --> C'],
])('keeps the semicolons in the texts of %j', (source, expected) => expect(withSemicolons(source)).toBe(expected));
