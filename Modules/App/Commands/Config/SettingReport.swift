/// A setting with its value and source, as `--json` writes it.
struct SettingReport: Encodable {
    let key: String
    /// What was said, else the default; nil where there is none. Without what is secret.
    let value: String?
    let source: String
    /// The flag, variable or file that says so; nil for a default.
    let place: String?
    let meaning: String
    let takes: String
    let `default`: String?
    let variable: String
    let flag: String?
    /// What is wrong with the value.
    let problem: String?

    enum CodingKeys: String, CodingKey {
        case key, value, source, place, meaning, takes, `default`, variable, flag, problem
    }

    init(_ setting: Setting, in said: SettingSources, showsSecrets: Bool = false) {
        key = setting.key
        let text = said.text(setting)
        value = text.map { showsSecrets ? $0 : setting.shown($0) } ?? setting.standard
        source = said.source(setting).rawValue
        place = said.source(setting) == .standard ? nil : said.place(setting)
        meaning = setting.meaning
        takes = setting.kind.requirement
        self.default = setting.standard
        variable = setting.variable
        flag = setting.flag
        problem = said.problem(setting)
    }

    /// Where the value is from, for a person.
    var sourceText: String {
        let name = place.map { "\(source) (\($0))" } ?? source
        return problem.map { "\(name), cannot be used: \($0)" } ?? name
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(key, forKey: .key)
        try container.encode(value, forKey: .value)
        try container.encode(source, forKey: .source)
        try container.encode(place, forKey: .place)
        try container.encode(meaning, forKey: .meaning)
        try container.encode(takes, forKey: .takes)
        try container.encode(self.default, forKey: .default)
        try container.encode(variable, forKey: .variable)
        try container.encode(flag, forKey: .flag)
        try container.encodeIfPresent(problem, forKey: .problem)
    }
}
