/** Usual spellings of vendors by the prefix of their model ids, and by other spellings in lower case. */
const VENDORS: Readonly<Record<string, string>> = {
  ai21: 'AI21',
  alibaba: 'Alibaba',
  allenai: 'AllenAI',
  amazon: 'Amazon',
  anthropic: 'Anthropic',
  baidu: 'Baidu',
  bytedance: 'ByteDance',
  'bytedance-seed': 'ByteDance',
  cohere: 'Cohere',
  deepseek: 'DeepSeek',
  'deepseek-ai': 'DeepSeek',
  google: 'Google',
  'ibm-granite': 'IBM',
  inception: 'Inception',
  liquid: 'Liquid AI',
  meta: 'Meta',
  'meta-llama': 'Meta',
  microsoft: 'Microsoft',
  minimax: 'MiniMax',
  mistral: 'Mistral AI',
  mistralai: 'Mistral AI',
  moonshotai: 'Moonshot AI',
  nousresearch: 'Nous Research',
  nvidia: 'NVIDIA',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
  perplexity: 'Perplexity',
  qwen: 'Qwen',
  'stepfun-ai': 'StepFun',
  tencent: 'Tencent',
  'x-ai': 'xAI',
  xai: 'xAI',
  xiaomi: 'Xiaomi',
  'z-ai': 'Z.AI',
};

/** The fields of a model that its shown name and provider are made of. */
export interface NamedModel {
  modelId: string;
  name: string;
  provider: string;
}

/** Shown names and providers of a list of models. Providers that differ in case alone get one spelling. */
export class ModelNames {
  private readonly spellings = new Map<string, string>();

  constructor(models: Iterable<Pick<NamedModel, 'provider'>>) {
    for (const { provider } of models) {
      const key = provider.toLowerCase();
      const known = this.spellings.get(key);
      // Of `acme` and `Acme` the one with a capital is shown.
      if (known === undefined || (known === key && provider !== key)) this.spellings.set(key, provider);
    }
  }

  providerOf({ provider }: NamedModel): string {
    const key = provider.toLowerCase();
    return VENDORS[key] ?? this.spellings.get(key) ?? provider;
  }

  /** The name without the provider in front, as in `Anthropic: Claude`, which the group already says. */
  nameOf(model: NamedModel): string {
    const { name, modelId, provider } = model;
    const colon = name.indexOf(':');
    if (colon < 1) return name;
    const prefix = name.slice(0, colon).trim().toLowerCase();
    const rest = name.slice(colon + 1).trim();
    const maker = modelId.slice(0, Math.max(modelId.indexOf('/'), 0));
    const shown = this.providerOf(model).toLowerCase();
    const isProvider = [provider, maker].some((each) => each.toLowerCase() === prefix) || prefix === shown;
    return (isProvider || VENDORS[prefix]?.toLowerCase() === shown) && rest !== '' ? rest : name;
  }
}
