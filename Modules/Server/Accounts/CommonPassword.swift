import Foundation

/// Passwords that everybody tries first.
///
/// The list has the words of eight characters and more that head the published lists of leaked passwords, and the shorter
/// ones with which longer passwords begin. NIST SP 800-63B, section 5.1.1.2, asks for such a list.
enum CommonPassword {
    /// Whether a password is among those that are tried first, in any case of letters, or is one with a few more
    /// characters at its end.
    static func matches(_ password: String) -> Bool {
        let folded = password.precomposedStringWithCanonicalMapping.lowercased()
        if words.contains(folded) || isMonotonous(folded) { return true }
        // "Password2026!" is tried as early as "password".
        let stem = folded.reversed().drop { !$0.isLetter }.reversed()
        return folded.count - stem.count <= 6 && words.contains(String(stem))
    }

    /// Whether it is one character again and again, or walks along the digits, the alphabet or a row of keys.
    private static func isMonotonous(_ folded: String) -> Bool {
        let distinct = Set(folded)
        if distinct.count <= 2 { return true }
        for row in rows {
            let forwards = row + row
            if forwards.contains(folded) || String(forwards.reversed()).contains(folded) { return true }
        }
        let half = folded.prefix(folded.count / 2)
        return folded.count.isMultiple(of: 2) && folded.hasSuffix(half) && (half.count <= 4 || matches(String(half)))
    }

    private static let rows = [
        "1234567890", "0123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop",
        "azertyuiop", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "qazwsxedcrfvtgbyhnujm", "!@#$%^&*()",
    ]

    private static let words = Set(
        """
        password passw0rd p@ssword p@ssw0rd passwort motdepasse contraseña wachtwoord parola senha passwd passphrase
        mypassword thepassword password1 admin administrator root letmein welcome welcome1 changeme default secret
        qwerty qwertyuiop qwerty123 qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc 1q2w3e4r
        1qaz2wsx q1w2e3r4 abc123 abcd1234 a1b2c3d4 123abc aa123456 iloveyou ilovey0u loveyou iloveu lovely lover
        sunshine princess princesa dragon monkey football baseball basketball hockey soccer superman batman spiderman
        starwars pokemon naruto minecraft fortnite trustno1 master shadow michael jennifer jessica charlie daniel
        andrew joshua matthew anthony thomas robert jordan ashley amanda nicole daniela alexander alexandra valentina
        whatever freedom killer hunter ranger buster tigger pepper ginger cookie summer winter spring autumn flower
        butterfly chocolate computer internet samsung google facebook instagram youtube twitter linkedin microsoft
        windows android apple mustang ferrari porsche mercedes corvette yamaha harley chelsea liverpool arsenal
        barcelona juventus manchester realmadrid yankees cowboys steelers lakers eagles redskins packers raiders
        hello hello123 hallo hallo123 bonjour test test1234 testtest testing guest user login access temp temporary
        blink182 metallica nirvana slipknot eminem bigdaddy bigdick fuckyou fuckoff asshole blahblah matrix
        phoenix mercury merlin merlin gandalf maverick cheese banana orange purple silver golden diamond angel
        angels jesus christ blessed heaven family friends forever sweetheart sweetie babygirl babyboy baby
        mother mommy daddy father brother sister teddybear dolphin elephant tigers lion panther monster
        money dollar lucky seven eleven thunder lightning hurricane scorpion warrior knight wizard ninja
        creative freedom1 awesome amazing beautiful gorgeous handsome snoopy scooby garfield mickey minnie
        donald doraemon hellokitty barbie tinkerbell cinderella rainbow unicorn stargate startrek enterprise
        america canada england germany france italia espana australia brasil mexico india pakistan indonesia
        london paris berlin madrid newyork chicago boston dallas houston florida california texas
        monday tuesday wednesday thursday friday saturday sunday january february march april june july august
        september october november december zaq12wsx zaq1zaq1 xsw2zaq1 pass1234 pass@123 admin123 root123 user1234
        trendy trendyapp trendy123
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
